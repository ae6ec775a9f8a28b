// Compile MJML sources strictly: a JSON list of texts comes in, a list of fault lists goes out.
import mjml2html from "mjml";
import { readFileSync } from "node:fs";

const sources = JSON.parse(readFileSync(0, "utf8"));
const told = [];
for (const source of sources) {
  try {
    const made = await mjml2html(source, { validationLevel: "strict", keepComments: true });
    told.push((made.errors ?? []).map((fault) => fault.formattedMessage));
  } catch (fault) {
    told.push([String(fault.message ?? fault)]);
  }
}
process.stdout.write(JSON.stringify(told));
