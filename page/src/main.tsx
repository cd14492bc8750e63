import { render } from "preact";
import { App } from "./app";
import { LocalClient } from "./client/local";
import { WasmClient } from "./client/wasm";
import { watchFiles } from "./edit/watch";
import { address, client, failure, files, openFile, verbs, work } from "./state";
import { takeToken } from "./token";
import "./style.css";

/** Chooses where the verbs run, and lists the files that are there. */
async function begin(): Promise<void> {
  const { server } = document.documentElement.dataset;
  if (server !== undefined) {
    const token = takeToken();
    if (token === undefined) {
      failure.value = "the address has no token: open the one that `spelunk view` printed";
      return;
    }
    client.value = new LocalClient(token, server === "writing");
  } else client.value = new WasmClient();
  watchFiles();
  files.value = await verbs().files();
  const { file } = address.value;
  const only = files.value.length === 1 ? files.value[0]?.name : undefined;
  if (file === undefined && only !== undefined) await openFile(only);
}

void work(begin);
const page = document.getElementById("page");
if (page !== null) render(<App />, page);
