import { render } from "preact";
import { App } from "./app";
import { LocalClient } from "./client/local";
import { WasmClient } from "./client/wasm";
import { client, files, work } from "./state";
import "./style.css";

/** The local command gives its token in the fragment, once; it is kept for this tab, and taken out of the address. */
function takeToken(): string | undefined {
  const match = /[#&]token=([0-9a-zA-Z]+)/.exec(location.hash);
  if (match?.[1] !== undefined) {
    sessionStorage.setItem("token", match[1]);
    history.replaceState(null, "", location.hash.replace(/&?token=[0-9a-zA-Z]+/, "").replace("#&", "#"));
  }
  return sessionStorage.getItem("token") ?? undefined;
}

const token = takeToken();
client.value = token === undefined ? new WasmClient() : new LocalClient(token);
void work(async () => {
  files.value = (await client.value?.files()) ?? [];
});
const page = document.getElementById("page");
if (page !== null) render(<App />, page);
