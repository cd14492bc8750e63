import type { Bar } from "./results";

const BAR = 22;
const LABEL = 160;
const LENGTH = 230;
const VALUE = 75;

/** Bars of counts, drawn as SVG; those below zero lie on the other side of the line. */
export function Chart({ title, bars }: { title: string; bars: Bar[] }) {
  const values = bars.map((bar) => bar.value);
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const scale = LENGTH / (most - least || 1);
  const zero = LABEL - least * scale;
  const [width, height] = [LABEL + LENGTH + VALUE, bars.length * BAR + 4];
  return (
    <svg class="chart" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}>
      {bars.map((bar, nth) => (
        <g key={nth} transform={`translate(0 ${nth * BAR})`}>
          <title>{`${bar.label}: ${bar.value}`}</title>
          <text x={LABEL - 8} y={15} text-anchor="end">
            {bar.label.length > 24 ? `${bar.label.slice(0, 23)}…` : bar.label}
          </text>
          <rect x={zero + Math.min(0, bar.value * scale)} y={3} width={Math.max(1, Math.abs(bar.value) * scale)} height={BAR - 6} />
          <text x={zero + Math.max(0, bar.value * scale) + 6} y={15} class="value">
            {bar.value.toLocaleString("en")}
          </text>
        </g>
      ))}
      <line x1={zero} x2={zero} y1={0} y2={height} />
    </svg>
  );
}
