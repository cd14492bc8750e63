// Models that are made for tests.
import { crc32, deflateSync } from "node:zlib";

const uri = (type, bytes) => `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), bytes.length - 4);
  return bytes;
}

/** A PNG file of one pixel. */
function pixel(...color) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(1, 0);
  head.writeUInt32BE(1, 4);
  head.set([8, 6], 8);
  const data = deflateSync(Buffer.from([0, ...color]));
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}

/** A glTF document with a square that glows red whatever the light is, of a picture with this alpha. */
export function glowingSquare(alpha) {
  const places = new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]);
  const coordinates = new Float32Array([0, 1, 1, 1, 1, 0, 0, 0]);
  const faces = new Uint16Array([0, 1, 2, 0, 2, 3]);
  const parts = [places, coordinates, faces].map((it) => Buffer.from(it.buffer));
  const bytes = Buffer.concat(parts);
  return JSON.stringify({
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, name: "Square" }],
    meshes: [{ name: "Square", primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, indices: 2, material: 0 }] }],
    materials: [
      {
        name: "Glow",
        pbrMetallicRoughness: { baseColorFactor: [0, 0, 0, 1], baseColorTexture: { index: 0 }, metallicFactor: 0 },
        emissiveFactor: [1, 0, 0],
        alphaMode: "BLEND",
        doubleSided: true,
      },
    ],
    textures: [{ source: 0 }],
    images: [{ name: "Glass", uri: uri("image/png", pixel(0, 0, 0, alpha)) }],
    buffers: [{ byteLength: bytes.length, uri: uri("application/octet-stream", bytes) }],
    bufferViews: parts.map((part, nth) => ({
      buffer: 0,
      byteOffset: parts.slice(0, nth).reduce((sum, it) => sum + it.length, 0),
      byteLength: part.length,
    })),
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: "VEC3", min: [-1, -1, 0], max: [1, 1, 0] },
      { bufferView: 1, componentType: 5126, count: 4, type: "VEC2" },
      { bufferView: 2, componentType: 5123, count: 6, type: "SCALAR" },
    ],
  });
}
