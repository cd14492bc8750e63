import { useState } from "preact/hooks";
import type { MapPoint } from "../points";
import { useRowHeight, VirtualList } from "../virtual";

/** What stands on a map as a list, for those who know its name, or use no pointer. */
export function MapList({ points, chosen, onChoose }: { points: MapPoint[]; chosen: MapPoint | undefined; onChoose(point: MapPoint): void }) {
  const [filter, setFilter] = useState("");
  const rowHeight = useRowHeight();
  const wanted = filter.trim().toLowerCase();
  const listed = points.filter((it) => it.label.toLowerCase().includes(wanted));
  const at = chosen === undefined ? -1 : listed.indexOf(chosen);
  return (
    <div class="beside" data-role="points" data-rows={listed.length}>
      <input type="search" placeholder="name or property" aria-label="Filter points" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
      <VirtualList
        count={listed.length}
        rowHeight={rowHeight}
        label="Points"
        shown={at < 0 ? undefined : at}
        onStep={(nth) => {
          const it = listed[nth];
          if (it) onChoose(it);
        }}
        render={(nth) => {
          const it = listed[nth];
          if (it === undefined) return null;
          return (
            <div class={`entry${it === chosen ? " chosen" : ""}`} role="option" aria-selected={it === chosen} title={it.label} onClick={() => onChoose(it)}>
              <span class="name">{it.label}</span>
              <span class="quiet">
                {it.x}, {it.y}
              </span>
            </div>
          );
        }}
      />
    </div>
  );
}
