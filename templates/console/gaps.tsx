/** @jsxRuntime automatic @jsxImportSource preact */
import type { GapBin } from "../../src/http/gaps.ts";
import { count } from "../format.ts";

/** How long was waited between the visits of a host. */
export function GapHistogram({ bins }: { bins: readonly GapBin[] }) {
  const top = Math.max(1, ...bins.map((bin) => bin.count));
  if (bins.every((bin) => bin.count === 0)) {
    return <p class="muted">Two visits are needed to see a gap.</p>;
  }
  return (
    <table class="histogram">
      <caption class="visually-hidden">Gaps between visits</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Gap</th>
          <th scope="col">Visits</th>
        </tr>
      </thead>
      <tbody>
        {bins.map((bin) => (
          <tr>
            <th scope="row">{bin.label}</th>
            <td>
              <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect
                  class={bin.isShort ? "bar-bad" : "bar-fill"}
                  width={((bin.count / top) * 100).toFixed(1)}
                  height="10"
                />
              </svg>
              <span class="number">{count(bin.count)}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
