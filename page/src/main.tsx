import { render } from "preact";
import { App } from "./app";
import { WasmClient } from "./client/wasm";
import { client, files, work } from "./state";
import "./style.css";

client.value = new WasmClient();
void work(async () => {
  files.value = (await client.value?.files()) ?? [];
});
const page = document.getElementById("page");
if (page !== null) render(<App />, page);
