import { bytesText } from "../format";
import type { Counts, Model } from "../scene/model";

/** Numbers of a model: what is drawn, and the pictures that it takes. */
export function SceneFacts({ model, counts }: { model: Model; counts: Counts }) {
  const memory = model.pictures.reduce((sum, it) => sum + it.memory, 0);
  const facts: [string, string | number][] = [
    ["Triangles", counts.triangles],
    ["Vertices", counts.vertices],
    ["Objects", counts.objects],
    ["Materials", model.materials],
    ["Textures", model.pictures.length],
    ["Textures not found", model.missing.length],
    ["Memory of textures", bytesText(memory)],
    ["Animations", model.clips.length],
  ];
  return (
    <div class="beside facts" data-role="facts" data-vertices={counts.vertices} data-materials={model.materials} data-textures={model.pictures.length} tabIndex={0} aria-label="Statistics" role="group">
      <table class="fields">
        <tbody>
          {facts.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {model.pictures.length + model.missing.length > 0 && <h3>Textures</h3>}
      <table class="fields">
        <tbody>
          {model.pictures.map((it, nth) => (
            <tr key={nth}>
              <th scope="row">{it.name}</th>
              <td>
                {it.width} × {it.height} <span class="quiet">{bytesText(it.memory)}</span>
              </td>
            </tr>
          ))}
          {model.missing.map((name) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="quiet">not found</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
