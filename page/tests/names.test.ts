import { expect, test } from "vitest";
import { filesCalled, foldersOf, pictureFolders } from "../src/names";

test("files are found by their last names, whatever folders and letters they have", () => {
  const names = ["game/Textures/Wood.BMP", "game/level.nmo", "rail.bmp"];
  expect(filesCalled(["C:\\art\\wood.bmp"], names)).toEqual(["game/Textures/Wood.BMP"]);
  expect(foldersOf(["a/b/c", "a/b/d", "e"])).toEqual(["", "a/b"]);
  expect(pictureFolders(names)).toEqual(["", "game/Textures"]);
});
