import { CHANGES } from '../../domain/change-requests';
import { REPLACEMENT_BODIES } from '../../domain/transfers';
import { document, jsonOf } from './document';
import { facts } from './facts';
import { alternatives, resolve, type Schema, tagOf } from './schema';
import { differencesOf, shapeOf } from './shape';
import { SNAPSHOT_DIFFERENCES } from './snapshot-differences';

type Place = readonly [schema: string, member: string];

/** The path of each snapshot, which is the same in the named schemas of both documents. */
const PLACES: readonly Place[] = [
  ['TransferRequest', 'requestBody'],
  ['TransactionRequest', 'requestBody'],
  ['SignatureRequest', 'requestBody'],
  ['ActivityWalletsSign', 'signatureRequest'],
  ['ActivityWalletsIncomingTransaction', 'blockchainEvent'],
  ['ActivityRegistryAddressesModify', 'changeRequest'],
  ['ActivityRegistryContractSchemasModify', 'changeRequest'],
];

function memberOf(schemas: Readonly<Record<string, Schema>>, [schema, member]: Place): Schema {
  const found = schemas[schema]?.properties?.[member];
  if (!found) throw new Error(`${schema}.${member} is missing`);
  return found;
}

test('a snapshot of a request differs from the published client exactly as the table of differences lists', () => {
  const found = PLACES.flatMap((place) => {
    const theirs = shapeOf(facts, memberOf(facts.schemas, place));
    const ours = shapeOf(document, memberOf(document.components.schemas, place));
    return differencesOf('answer', theirs, ours).map((line) => `${place.join('.')}${line}`);
  });
  expect(found.sort()).toEqual(SNAPSHOT_DIFFERENCES.flatMap(({ lines }) => lines).sort());
});

const { schemas } = document.components;
/** The names of the schemas that a member can have. */
const formsOf = (place: Place): readonly string[] => {
  const { $ref, oneOf = [] } = memberOf(schemas, place);
  return [$ref, ...oneOf.map((one) => one.$ref)].flatMap((ref) => ref?.replace('#/components/schemas/', '') ?? []).sort();
};

test('an approval shows a waiting request with the schema of an answer, and its body with the schema of a request', () => {
  expect(formsOf(['ActivityWalletsSign', 'transferRequest'])).toEqual(['TransferRequest']);
  expect(formsOf(['ActivityWalletsSign', 'transactionRequest'])).toEqual(['TransactionRequest']);
  expect(formsOf(['TransferRequest', 'requestBody'])).toEqual(['TransferBody']);
  expect(formsOf(['SignatureRequest', 'requestBody'])).toEqual(['SignatureBody']);
  for (const { activity } of Object.values(CHANGES)) {
    const kinds = Object.entries(CHANGES).flatMap(([kind, change]) =>
      change.activity === activity ? [`${kind}ChangeRequest`] : [],
    );
    expect(formsOf([`Activity${activity.replaceAll(':', '')}`, 'changeRequest'])).toEqual(kinds.sort());
  }
});

test('a transaction shows either a body that a caller can send or the body of a replacement', () => {
  const kindsIn = (schema: Schema) => alternatives(document, schema).map((one) => tagOf(document, one));
  const sent = kindsIn(schemas['TransactionBody'] ?? {});
  const shown = kindsIn(memberOf(schemas, ['TransactionRequest', 'requestBody']));
  expect(shown.sort()).toEqual([...sent, ...Object.values(REPLACEMENT_BODIES)].sort());
});

test('the document lists the members of every snapshot', () => {
  const open = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([member]) =>
        /^(requestBody|changeRequest|(transfer|transaction|signature)Request|blockchainEvent|data)$/.test(member),
      )
      .filter(([, schema]) => alternatives(document, schema).some((one) => one.type === 'object' && one.properties === undefined))
      .map(([member]) => `${name}.${member}`),
  );
  expect(open).toEqual([]);
});

/** Kinds of event that the published client has and this release never emits. */
const OPEN_EVENTS = [
  'payout.action.required',
  'wallet.activated',
  'wallet.offer.accepted',
  'wallet.offer.received',
  'wallet.offer.rejected',
  'wallet.offer.withdrawn',
];

test('each kind of event of the published client is either delivered or listed as open', () => {
  const published = Object.keys(facts.events);
  const delivered = new Set(Object.keys(document.webhooks));
  expect(OPEN_EVENTS.filter((kind) => delivered.has(kind))).toEqual([]);
  expect([...published.filter((kind) => delivered.has(kind)), ...OPEN_EVENTS].sort()).toEqual(published.sort());
});

test.each(Object.keys(facts.events).filter((kind) => !OPEN_EVENTS.includes(kind)))(
  '%s has exactly the members that the published client reads',
  (kind) => {
    const dataOf = (root: object, schema: Schema) => resolve(root, alternatives(root, schema)[0]?.properties?.['data'] ?? {});
    const carried = ({ properties = {}, required = [] }: Schema) => ({
      members: Object.keys(properties).sort(),
      required: [...required].sort(),
    });
    const ours = dataOf(document, jsonOf(document.webhooks[kind]?.post.requestBody.content) ?? {});
    expect(carried(ours)).toEqual(carried(dataOf(facts, facts.events[kind] ?? {})));
  },
);
