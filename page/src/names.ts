/** The folder of a file, without a slash at its end. */
const folderOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf("/")));

/** The folders of some files. */
export const foldersOf = (names: string[]): string[] => [...new Set(names.map(folderOf))].sort();

/** The name of a file without its folder, whichever slashes it has, in small letters. */
const lastOf = (name: string): string => name.split(/[/\\]/).at(-1)?.toLowerCase() ?? "";

/** Whether a file is a picture, by its name. */
export const isPicture = (name: string): boolean => /\.(bmp|tga|png|jpe?g|dds|gif|tiff?|pcx)$/i.test(name);

/** The folders of the pictures among some files. */
export const pictureFolders = (names: string[]): string[] => foldersOf(names.filter(isPicture));

/** The files that have one of the wanted names. */
export function filesCalled(wanted: string[], names: string[]): string[] {
  const last = new Set(wanted.map(lastOf));
  return names.filter((name) => last.has(lastOf(name)));
}
