import { parseAddress, printAddress } from "./address";

const KEY = "spelunk-token";

/**
 * The token of the server, from the fragment that it printed. It stays with this tab, so that the page can be loaded again, and goes out of
 * the address, so that it is in no bookmark and no history.
 */
export function takeToken(): string | undefined {
  const token = /[#&]token=([0-9a-f]+)/.exec(location.hash)?.[1];
  if (token !== undefined) {
    sessionStorage.setItem(KEY, token);
    history.replaceState(null, "", printAddress(parseAddress(location.hash)) || "#");
  }
  return token ?? sessionStorage.getItem(KEY) ?? undefined;
}
