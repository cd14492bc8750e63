import { useState } from "preact/hooks";
import type { Entity } from "../scene/model";
import { useRowHeight, VirtualList } from "../virtual";

/** What stands in a scene, by groups and one by one, to be shown, hidden and chosen. */
export function SceneList(props: {
  entities: Entity[];
  hidden: ReadonlySet<Entity>;
  chosen: Entity | undefined;
  onHide(entities: Entity[], hide: boolean): void;
  onChoose(entity: Entity): void;
}) {
  const { entities, hidden, chosen, onHide, onChoose } = props;
  const [filter, setFilter] = useState("");
  const rowHeight = useRowHeight();
  const wanted = filter.trim().toLowerCase();
  const listed = entities.filter((it) => it.name.toLowerCase().includes(wanted));
  const groups = [...new Set(entities.flatMap((it) => it.groups))];
  const box = (label: string, of: Entity[]) => {
    const count = of.filter((it) => !hidden.has(it)).length;
    return (
      <input
        type="checkbox"
        aria-label={`Show ${label}`}
        checked={count > 0}
        ref={(element) => {
          if (element) element.indeterminate = count > 0 && count < of.length;
        }}
        onChange={() => onHide(of, count === of.length)}
      />
    );
  };
  const at = chosen === undefined ? -1 : listed.indexOf(chosen);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== " " || chosen === undefined) return;
    onHide([chosen], !hidden.has(chosen));
    event.preventDefault();
  };
  return (
    <div class="beside" data-role="entities" data-rows={listed.length} data-hidden={hidden.size} data-groups={groups.length}>
      <ul class="groups" aria-label="Groups">
        <li>
          <label>
            {box("everything", entities)} everything <span class="quiet">{entities.length}</span>
          </label>
        </li>
        {groups.map((group) => {
          const members = entities.filter((it) => it.groups.includes(group));
          return (
            <li key={group}>
              <label title={group}>
                {box(group, members)} <span class="name">{group}</span> <span class="quiet">{members.length}</span>
              </label>
            </li>
          );
        })}
      </ul>
      <input type="search" placeholder="name" aria-label="Filter entities" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
      <VirtualList
        count={listed.length}
        rowHeight={rowHeight}
        label="Entities; space shows and hides"
        shown={at < 0 ? undefined : at}
        onStep={(nth) => {
          const it = listed[nth];
          if (it) onChoose(it);
        }}
        onKey={onKey}
        render={(nth) => {
          const it = listed[nth];
          if (it === undefined) return null;
          return (
            <div class={`entry${it === chosen ? " chosen" : ""}`} role="option" aria-selected={it === chosen} onClick={() => onChoose(it)} title={it.name}>
              <span
                class="eye"
                aria-hidden="true"
                title={hidden.has(it) ? "Show" : "Hide"}
                onClick={(event) => {
                  event.stopPropagation();
                  onHide([it], !hidden.has(it));
                }}
              >
                {hidden.has(it) ? "○" : "●"}
              </span>
              <span class="name">{it.name}</span>
            </div>
          );
        }}
      />
    </div>
  );
}
