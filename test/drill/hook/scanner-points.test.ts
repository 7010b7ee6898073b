import { randomBytes } from 'node:crypto';
import { reportPoints } from '../../../drill/hook/report-points';
import { openWatchList, type WatchList } from '../../../entities/scans/watch-list';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createScannedWallet } from '../../support/scanned-wallets';
import { SCANNED as NETWORK, scanAll, scannerOver } from '../../support/scanning';
import { createScriptedBlocks } from '../../support/scripted-blocks';

const STRANGER = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';

let database: TestDatabase;
let watchList: WatchList;
let endReports: (() => void) | undefined;
beforeAll(async () => {
  database = await createTestDatabase();
  watchList = openWatchList(database.relayUrl);
});
afterEach(() => endReports?.());
afterAll(async () => {
  await watchList?.close();
  await database?.close();
});

test('the scanner reports each of its commits under a name of its own, with the organisation or the network', async () => {
  const chain = createScriptedBlocks();
  const { orgId, address } = await createScannedWallet(database.db, await database.createOrganization(), NETWORK.name);
  const scanner = scannerOver({ db: database.db, watchList, source: chain.source, gateway: chain.gateway });
  const reports: { readonly point: string; readonly ids: readonly string[] }[] = [];
  endReports = reportPoints(async (point, ids) => void reports.push({ point, ids }));
  const since = async (change: () => unknown, id: string, steps: RegExp) => {
    reports.length = 0;
    change();
    await scanAll(scanner);
    return reports.filter(({ point, ids }) => steps.test(point) && ids.includes(id)).map(({ point }) => point);
  };
  const commits = (...steps: readonly string[]) => steps.flatMap((step) => [`${step}:committing`, `${step}:committed`]);
  const payment = { from: STRANGER, to: address, amountUnits: 7n, txHash: `0x${randomBytes(32).toString('hex')}` };

  expect(await since(() => undefined, orgId, /:commit/)).toEqual(commits('noteLive'));
  expect(await since(() => chain.mine([payment]), orgId, /:commit/)).toEqual(
    commits('beginBlocks', 'recordMovements', 'finishBlocks'),
  );
  const replaced = () => {
    chain.drop(1);
    chain.mine();
  };
  expect(await since(replaced, NETWORK.name, /^(leave|withdraw|remove).*:commit/)).toEqual(
    commits('leaveBlocks', 'withdrawMovements', 'removeBlocks'),
  );
  const final = () => {
    chain.mine([payment]);
    for (let more = NETWORK.confirmations; more > 0; more -= 1) chain.mine();
  };
  expect(await since(final, orgId, /^(confirm|note).*:commit/)).toEqual(commits('confirmMovements', 'noteConfirmed'));
  expect(await since(() => chain.mine(), orgId, /./)).toEqual([]);
});
