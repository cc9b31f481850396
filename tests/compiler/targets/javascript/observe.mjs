// Observes histories with generated modules. Each line of the input is
//   {"module": path, "root": text?, "baseline": text?, "reports": [{"facts": text, "at": …}, …]}
// and each line of the output what each report showed, or why it was refused.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { module, root, baseline, reports } = JSON.parse(line);
  const { Monitor } = await import(pathToFileURL(module));
  const monitor = new Monitor({ root, baseline: baseline ?? undefined });
  const shown = reports.map(({ facts, ...envelope }) =>
    attempted(() => {
      const verdict = monitor.observe(facts, envelope);
      return {
        ...verdict.toJSON(),
        goal_check: verdict.toGoalCheck(),
        exit_code: verdict.exitCode,
      };
    }),
  );
  console.log(JSON.stringify({ shown, notes: monitor.baselineNotes }));
}

function attempted(observe) {
  try {
    return observe();
  } catch (error) {
    return { error: error.name, message: error.message };
  }
}
