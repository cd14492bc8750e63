import * as three from "three";
import { KTX2Loader } from "three/addons/loaders/KTX2Loader.js";
import type { Bytes } from "../client/client";

const VERTEX = "varying vec2 at; void main() { at = vec2(uv.x, 1.0 - uv.y); gl_Position = vec4(position.xy, 0.0, 1.0); }";
/** Shows a channel alone as grey, as pictures of it are. */
const FRAGMENT =
  "uniform sampler2D map; uniform vec2 part; uniform int channels; varying vec2 at;" +
  "void main() { vec4 it = texture2D(map, at * part); gl_FragColor = channels == 1 ? vec4(it.rrr, 1.0) : channels == 2 ? vec4(it.rg, 0.0, 1.0) : it; }";

const GREY = new Set<number>([three.RedFormat, three.RED_RGTC1_Format, three.SIGNED_RED_RGTC1_Format]);
const TWO = new Set<number>([three.RGFormat, three.RED_GREEN_RGTC2_Format, three.SIGNED_RED_GREEN_RGTC2_Format]);

interface Level {
  data: three.TypedArray;
  width: number;
  height: number;
}

/** The levels of a texture (KTX 2) as pictures, the largest first, as the graphics card reads them; fails for formats that it cannot read. */
export async function levelsOf(bytes: Bytes): Promise<ImageData[]> {
  const renderer = new three.WebGLRenderer({ alpha: true, premultipliedAlpha: false, preserveDrawingBuffer: true });
  const loader = new KTX2Loader().detectSupport(renderer);
  try {
    renderer.outputColorSpace = three.LinearSRGBColorSpace;
    const whole = await new Promise<three.Texture>((resolve, reject) => loader.parse(bytes.buffer, resolve as (it: unknown) => void, reject));
    const all = whole.mipmaps as unknown as Level[];
    return all.map((level) => drawn(renderer, whole, level));
  } finally {
    loader.dispose();
    renderer.dispose();
    renderer.forceContextLoss();
  }
}

/** A level as it is stored: no colours are matched. */
function drawn(renderer: three.WebGLRenderer, whole: three.Texture, { data, width, height }: Level): ImageData {
  // Blocks of formats that are packed may be larger than the level.
  const isPacked = whole instanceof three.CompressedTexture;
  const [wide, high] = [width, height].map((it) => (isPacked ? Math.ceil(it / 4) * 4 : it)) as [number, number];
  const map = isPacked
    ? new three.CompressedTexture([{ data, width: wide, height: high }], wide, high, whole.format as three.CompressedPixelFormat, whole.type)
    : new three.DataTexture(data, wide, high, whole.format as three.PixelFormat, whole.type);
  map.minFilter = three.NearestFilter;
  map.magFilter = three.NearestFilter;
  map.needsUpdate = true;
  const uniforms = {
    map: { value: map },
    part: { value: new three.Vector2(width / wide, height / high) },
    channels: { value: GREY.has(whole.format) ? 1 : TWO.has(whole.format) ? 2 : 4 },
  };
  const material = new three.ShaderMaterial({ uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT, blending: three.NoBlending, depthTest: false });
  const target = new three.WebGLRenderTarget(width, height);
  const quad = new three.Mesh(new three.PlaneGeometry(2, 2), material);
  renderer.setRenderTarget(target);
  renderer.render(quad, new three.Camera());
  const pixels = new Uint8Array(width * height * 4);
  renderer.readRenderTargetPixels(target, 0, 0, width, height, pixels);
  const picture = new ImageData(width, height);
  // Rows are read from the lowest one on.
  for (let row = 0; row < height; row += 1) picture.data.set(pixels.subarray((height - 1 - row) * width * 4, (height - row) * width * 4), row * width * 4);
  for (const it of [map, material, target, quad.geometry]) it.dispose();
  return picture;
}
