// A lesson through a client whose types openapi-typescript made of the description of the API: a
// teacher creates a list and a puzzle and assigns it, a student plays it, the teacher reads progress.
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const { SITE, PASSWORD, CLASSROOM } = process.env as Record<string, string>;
const words = { krokodil: "crocodile", labud: "swan", jelen: "deer", gavran: "raven", slon: "elephant" };

async function logIn(username: string) {
  const { data } = await createClient<paths>({ baseUrl: SITE }).POST("/api/token/", {
    body: { username, password: PASSWORD, scope: "teach", name: "school.ts", days: 1 },
  });
  const headers = { Authorization: `Token ${given(data).token}` };
  return createClient<paths>({ baseUrl: SITE, headers });
}

function given<T>(data: T | undefined): T {
  if (data === undefined) throw new Error("The site refused.");
  return data;
}

const teacher = await logIn("ana");
const list = await teacher.POST("/api/lists/", {
  body: {
    title: "Animals",
    language: "hr",
    translation_languages: ["en"],
    entries: Object.entries(words).map(([term, meaning]) => ({ term, translations: { en: [meaning] } })),
  },
});
const wish = { vocabulary_list: given(list.data).id, settings: { words: 4 }, classroom: Number(CLASSROOM) };
const made = await teacher.POST("/api/puzzles/", { body: { ...wish, kind: "word-search" } });
const path = { code: given(made.data).code };

let state = given(made.data).state;
while (state === "queued") {
  await new Promise((resolve) => setTimeout(resolve, 100));
  const read = await teacher.GET("/api/puzzles/{code}/", { params: { path } });
  state = given(read.data).state;
}
const solution = await teacher.GET("/api/puzzles/{code}/grid/", { params: { path } });

const student = await logIn("luka");
const game = await student.GET("/api/play/{code}/", { params: { path } });
let found = given(game.data).found;
for (const { cells } of given(solution.data).placements ?? []) {
  const body = { attempt: crypto.randomUUID(), cells };
  const answer = await student.POST("/api/play/{code}/attempts/", { params: { path }, body });
  found = given(answer.data).found;
}

const progress = await teacher.GET("/api/classes/{id}/progress/", {
  params: { path: { id: Number(CLASSROOM) } },
});
const [assignment] = given(progress.data).assignments;
const refused = await student.POST("/api/puzzles/", { body: { ...wish, kind: "finder" } });

// The control of the types: neither a kind that there is not, nor a field that is not described.
// @ts-expect-error
await teacher.POST("/api/puzzles/", { body: { ...wish, kind: "sudoku" } });
// @ts-expect-error
await teacher.POST("/api/puzzles/", { body: { vocabulary_list: 1, kind: "finder", wrods: 4 } });

console.log(
  JSON.stringify({
    found,
    total: given(game.data).total,
    statuses: Object.values(assignment.students),
    refused: [refused.error?.status, refused.error?.code],
  }),
);
