import { expect, test } from "vitest";
import { parseAddress, parsePlace, printAddress } from "../src/address";

test("an address comes back as it was printed", () => {
  for (const address of [
    {},
    { file: "levels/a level.nmo" },
    { file: "关卡.nmo", entry: "CKMesh/a=b&c", view: "hex" as const, at: { space: "chunk12", offset: 4096 } },
    { file: "x", at: { space: "file", offset: 0 } },
    { file: "new.snpak", view: "diff" as const, with: "packs/an old one.snpak", generations: { own: "2", with: "merged" } },
    { file: "a.snpak", view: "diff" as const, with: "a.snpak", generations: { with: "1" } },
  ]) {
    expect(parseAddress(printAddress(address))).toEqual(address);
  }
});

test("slashes and colons stay readable", () => {
  expect(printAddress({ file: "levels/a.nmo", entry: "CKMesh/Cube", view: "hex", at: { space: "header1", offset: 32 } })).toBe(
    "#file=levels/a.nmo&entry=CKMesh/Cube&view=hex&at=header1:32",
  );
});

test("what is no address is left out", () => {
  expect(parseAddress("#view=nothing&file=%E0%A4%A&at=x:&entry=&with=&generations=0:x")).toEqual({});
  expect(parseAddress("#with=b&generations=:")).toEqual({ with: "b" });
});

test("places are read as people write them", () => {
  expect(parsePlace("0x20")).toEqual({ space: "file", offset: 32 });
  expect(parsePlace(" header1:64 ")).toEqual({ space: "header1", offset: 64 });
  expect(parsePlace("header1:0x1F")).toEqual({ space: "header1", offset: 31 });
  for (const text of ["", "x", "-1", "1e3", "0x", "99999999999999999999"]) expect(parsePlace(text)).toBeUndefined();
});
