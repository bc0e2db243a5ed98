/** @jsxRuntime automatic @jsxImportSource preact */
export interface NoticeText {
  tone: "good" | "warn" | "bad" | "info";
  text: string;
}

/** One sentence above the page's content. */
export function Notice({ tone, text }: NoticeText) {
  return (
    <div class={`notice notice-${tone}`} role={tone === "bad" ? "alert" : "status"}>
      <p>{text}</p>
    </div>
  );
}
