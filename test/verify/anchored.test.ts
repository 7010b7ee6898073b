import { signerAnchorStore } from '../../entities/deployment/signer-anchor.store';
import { checkApproval } from '../../verify/approval';
import { createAsking } from './asking';
import { type Office, openOffice } from './office';

let office: Office;
beforeAll(async () => {
  office = await openOffice({ own: 'the anchor belongs to no organisation' });
  office.trusted(await office.draft());
  await office.api.database.db.withOrg('', (tx) => signerAnchorStore.keep(tx, 'made-by-the-signer', 0));
});
afterAll(() => office?.close());

test('with a signer that makes anchors (signed times), a request is signed with its anchor, and its approval proves the requester', async () => {
  const asking = createAsking(office);
  const transfer = asking.wish('POST', `/wallets/${office.wallet.id}/transfers`, {
    ...{ kind: 'Native', amount: '1000', to: office.wallet.address },
  });
  const { shown, to } = await asking.signing(transfer);
  expect(shown).not.toContain('will not count');
  const { approvalId } = (await asking.sent(transfer, to)).body as { readonly approvalId: string };
  const file = await office.evidence(approvalId);
  expect(file).toMatchObject({ requested: { anchor: 'made-by-the-signer' } });
  const text = checkApproval({ home: office.home, file: office.put(file) }, new Date()).join('\n');
  expect(text).toContain(`Asked by      ${office.admin.userId}, with a key of the charter`);
});
