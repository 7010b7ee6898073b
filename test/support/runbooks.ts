/** The parts of a section, in this order. */
export const PARTS = ['It means', 'At risk', 'Do', 'Escalate', 'It is over when'];

export type Alert = { readonly alert: string; readonly annotations: { readonly runbook_url?: string | undefined } };
/** The text of each page by its path in the repository. */
export type Pages = Readonly<Record<string, string>>;

const HEADING = /^## (.+)$/gm;

/** The anchor that a renderer of Markdown gives a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** The anchors of all headings of a document. */
export const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

export type Section = { readonly page: string; readonly title: string; readonly text: string };

export const sectionsOf = (pages: Pages): readonly Section[] =>
  Object.entries(pages).flatMap(([page, text]) => {
    const starts = [...text.matchAll(HEADING)];
    return starts.map(({ index, 1: title = '' }, at) => ({ page, title, text: text.slice(index, starts[at + 1]?.index) }));
  });

/** Alerts that lead to no section or to several, and sections that belong to no alert. */
export function linkFaults(alerts: readonly Alert[], pages: Pages): string[] {
  const sections = sectionsOf(pages).map(({ page, title }) => ({ title, url: `${page}#${anchorOf(title)}` }));
  return [
    ...alerts.flatMap(({ alert, annotations: { runbook_url: url } }) =>
      sections.filter((section) => section.title === alert && section.url === url).length === 1
        ? []
        : [`${alert} → ${url ?? 'no runbook_url'}: no such section, or several`],
    ),
    ...sections.filter(({ title }) => !alerts.some(({ alert }) => alert === title)).map(({ url }) => `${url}: no such alert`),
  ];
}

/** The faults of a section: not exactly one command, a missing part, or parts in the wrong order. */
export function partFaults({ page, title, text }: Section): string[] {
  const commands = text.match(/^```sh\n/gm)?.length ?? 0;
  const parts = [...text.matchAll(/^\* \*\*([^*]+)\*\*: \S/gm)].map(([, part]) => part);
  return [
    ...(commands === 1 ? [] : [`${page}, ${title}: ${commands} commands → one`]),
    ...(parts.join() === PARTS.join() ? [] : [`${page}, ${title}: ${parts.join()} → ${PARTS.join()}`]),
  ];
}

/** The fixed words for which a section searches a log with `grep`. */
export const searchedWords = (text: string): readonly string[] =>
  [...text.matchAll(/\bgrep (-c |-E )?'([^']+)'/g)].flatMap(([, , words = '']) =>
    words.split('|').map((word) => word.replaceAll('"', '')),
  );

/** The services in the `docker compose` commands of a section. */
export const namedServices = (text: string): readonly string[] =>
  [
    ...text.matchAll(
      /docker compose (?:logs|exec|stop|up|ps|run)((?: --?[a-zA-Z-]+(?:[ =](?:\d+[mh]?|worker=\d))?)*)((?: [a-z]+)*)/g,
    ),
  ].flatMap(([command, , words = '']) => {
    const names = words.trim().split(' ').filter(Boolean);
    return /^docker compose (exec|run)/.test(command) ? names.slice(0, 1) : names;
  });

/** The statements that a section gives to psql. */
export const statementsOf = (text: string): readonly string[] =>
  [...text.matchAll(/<<'SQL'\n([\s\S]*?)\nSQL\n/g)].map(([, statement = '']) => statement);
