import { launch, number, role, ready, serveLocally, visit } from "./harness.mjs";
const path = process.argv[2];
const browser = await launch();
const server = await serveLocally(path);
const { page, close } = await visit(browser, server.url.replace(/&file=.*/, ""));
page.on("response", async (r) => { const b = await r.body().catch(()=>Buffer.alloc(0)); if (b.length > 100000 || process.argv[3]) console.log(r.url().slice(-30), b.length, r.request().postData()?.slice(0, 120)); });
const cdp = await page.context().newCDPSession(page); await cdp.send("Performance.enable");
const heap = async () => (await cdp.send("Performance.getMetrics")).metrics.filter((it) => /JSHeap/.test(it.name)).map((it) => `${it.name} ${(it.value / 1e6).toFixed(0)}`).join(", ");
console.log("before", await heap()); await cdp.send("HeapProfiler.enable"); await cdp.send("HeapProfiler.startSampling",{samplingInterval:65536}); await page.locator(`[data-role="files"] .list button`).first().click();
for (let i = 0; i < 2; i++) { await page.waitForTimeout(1500); console.log(await heap()); }
const {profile}=await cdp.send("HeapProfiler.stopSampling"); const list=[]; const walk=(n,st)=>{const s=[...st,n.callFrame.functionName+":"+n.callFrame.lineNumber+":"+n.callFrame.columnNumber]; if(n.selfSize>1e4) list.push([n.selfSize,s.slice(-6).join(" > ")]); n.children.forEach(c=>walk(c,s))}; walk(profile.head,[]); list.sort((a,b)=>b[0]-a[0]).slice(0,10).forEach(l=>console.log(l.join(" ")));
await close(); await server.close(); await browser.close();
