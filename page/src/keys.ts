/** Moves the focus among the buttons of a list with the arrow keys; `before` takes it above the first one. */
export function walkButtons(event: KeyboardEvent, list: HTMLElement | null, before?: () => void): void {
  const buttons = [...(list?.querySelectorAll<HTMLButtonElement>("button:not(:disabled)") ?? [])];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 10, PageUp: Math.max(0, at - 10), Home: 0, End: buttons.length - 1 }[event.key];
  if (to === undefined || buttons.length === 0) return;
  event.preventDefault();
  if (to < 0 && before !== undefined) before();
  else buttons[Math.min(buttons.length - 1, Math.max(0, to))]?.focus();
}
