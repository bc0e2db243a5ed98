/** @jsxRuntime automatic @jsxImportSource preact */
const WIDTH = 300;
const HEIGHT = 48;

export interface SparklineProps {
  /** Oldest first, at equal distances. */
  values: readonly number[];
  /** Whole sentence for who cannot see it. */
  label: string;
}

/** A small line of numbers over time, from zero to their maximum. */
export function Sparkline({ values, label }: SparklineProps) {
  const top = Math.max(...values, 0);
  const points = values.map((value, index) => {
    const x = values.length < 2 ? 0 : (index / (values.length - 1)) * WIDTH;
    const y = HEIGHT - 2 - (top === 0 ? 0 : (value / top) * (HEIGHT - 6));
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <line class="sparkline-base" x1="0" x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} />
      {points.length > 1 && (
        <>
          <polygon
            class="sparkline-area"
            points={`0,${HEIGHT} ${points.join(" ")} ${WIDTH},${HEIGHT}`}
          />
          <polyline class="sparkline-line" points={points.join(" ")} />
        </>
      )}
    </svg>
  );
}
