import { VIEWS, type View } from "./address";

/** What a file has to have one of for a view of it, as `info` names it; without any all files have the view. */
const ASPECTS: Partial<Record<View, string[]>> = {
  scene: ["scene"],
  texture: ["textures"],
  table: ["tables", "arrays"],
  script: ["scripts"],
  map: ["map"],
};

/** The views of a file with these aspects. */
export function viewsOf(aspects: string[]): View[] {
  return VIEWS.filter((view) => ASPECTS[view]?.some((it) => aspects.includes(it)) ?? true);
}
