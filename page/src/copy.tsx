import { useEffect, useState } from "preact/hooks";

/** A button that puts a text where one can paste it from, and says so. */
export function CopyButton({ label, text }: { label: string; text(): string }) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    const later = setTimeout(() => setSaid(""), 2000);
    return () => clearTimeout(later);
  }, [said]);
  const copy = () => {
    navigator.clipboard.writeText(text()).then(
      () => setSaid("Copied"),
      () => setSaid("The browser does not let the page copy"),
    );
  };
  return (
    <button type="button" onClick={copy} aria-live="polite">
      {said || label}
    </button>
  );
}
