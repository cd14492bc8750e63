// Checks every .glb file of a folder. Errors and warnings fail.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import validator from 'gltf-validator';

const folder = process.argv[2];
const files = readdirSync(folder).filter((file) => file.endsWith('.glb'));
let bad = 0;
for (const file of files.sort()) {
    const bytes = new Uint8Array(readFileSync(join(folder, file)));
    const { issues } = await validator.validateBytes(bytes, { uri: file, maxIssues: 0 });
    const told = issues.messages.filter((message) => message.severity < 2);
    for (const { code, message, pointer } of told.slice(0, 10)) {
        console.error(`${file}: ${code}: ${message} (${pointer})`);
    }
    bad += issues.numErrors + issues.numWarnings;
}
console.log(`${files.length} models, ${bad} errors and warnings`);
process.exit(files.length > 0 && bad === 0 ? 0 : 1);
