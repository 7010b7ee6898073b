import { differenceLines } from '../operator/charters/charter-differences';
import { headLines, readingLines } from '../operator/charters/charter-reading';
import { readCharter } from '../signer/charters/charter';
import { chartersSeenIn, remember, type Seen } from './home';
import { assertVerified, NotVerified, WrongUsage } from './not-verified';
import { operatorKeyIn, signedCharterIn } from './trusted-charter';

type Options = { readonly home: string; readonly charter: string; readonly operatorKey?: string | undefined };

/** Verifies a charter, shows it, and remembers it as the last charter that the person has seen. */
export function trust({ home, charter: path, operatorKey }: Options, now: Date): readonly string[] {
  const all = chartersSeenIn(home);
  const [known] = all;
  if (operatorKey === undefined && !known)
    throw new WrongUsage('The first charter needs --operator-key, from the operator and not from the service.');
  const key = operatorKey === undefined ? (known?.operatorKey ?? '') : operatorKeyIn(operatorKey);
  const { signed, digest, content } = signedCharterIn(path, key);
  const before = all.find(({ organizationId }) => organizationId === content.organizationId);
  if (before) assertFollows(before, { ...content, digest, operatorKey: key });
  const { organizationId, sequence } = content;
  remember(home, { organizationId, operatorKey: key, sequence, digest, dateSeen: now.toISOString(), signed });
  const former = before && readCharter(before.signed.charter);
  return [
    ...headLines(signed.charter, content),
    ...readingLines(content),
    '',
    ...(before ? betweenLines(content.sequence - before.sequence - 1) : []),
    ...(former ? ['Differences from the charter that you saw before', ...indented(differenceLines(former, content))] : []),
    ...(before
      ? []
      : ['This is the first charter of this organisation in your folder. Compare the digest with the operator on paper.']),
    `The operator signed this charter. It is now the one that you trust (${home}).`,
  ];
}

/** The person may not have seen the charters in between: the operator does not sign the amendments by members. */
const betweenLines = (charters: number): readonly string[] =>
  charters < 1
    ? []
    : [
        `${charters} charters lie between: amendments by members, or charters of the operator that you did not see.`,
        'The differences contain all their changes.',
      ];

const indented = (lines: readonly string[]) => (lines.length === 0 ? ['  nothing'] : lines.map((line) => `  ${line}`));

type Offered = {
  readonly sequence: number;
  readonly previous: string | null;
  readonly digest: string;
  readonly operatorKey: string;
};

/** Throws unless the charter is the last charter that the person saw, or a later charter. */
function assertFollows(seen: Seen, offered: Offered): void {
  const { sequence, digest, dateSeen } = seen;
  const last = `the one that you saw on ${dateSeen} (sequence ${sequence}, digest ${digest})`;
  assertVerified(
    offered.operatorKey === seen.operatorKey,
    `This charter is signed with another operator's key than ${last}. Ask the operator in person whether the key was changed.`,
  );
  if (offered.sequence < sequence)
    throw new NotVerified(`This charter is OLDER than ${last}: its sequence is ${offered.sequence}. It is no longer in force.`);
  if (offered.sequence === sequence)
    assertVerified(
      offered.digest === digest,
      `There are TWO charters with the sequence ${sequence}: this one is not ${last}. One of them was not meant for you. Tell the operator.`,
    );
  else if (offered.sequence === sequence + 1)
    assertVerified(
      offered.previous === digest,
      `This charter does not follow ${last}: it names ${offered.previous} as the one before. Tell the operator.`,
    );
}
