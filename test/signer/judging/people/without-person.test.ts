import { type Chartered, openChartered, WALLET_ID } from '../../charters/chartered';
import { orderFor, refusedAs } from '../../fixtures';

let office: Chartered;
beforeEach(async () => {
  office = await openChartered();
});
afterEach(() => office.close());

test('without a person the signer only repeats a signed payment, or uses up a nonce', async () => {
  await office.adopt();
  const { signer, people, transfer, keys } = office;
  const first = transfer(people.ada);
  await signer.signTransfer(first);
  const { evidence: _none, ...bare } = first;
  const faster = { ...bare, requestId: 'xfr-faster', replaces: first.requestId };
  const fees = { gas: 60_000n, maxFeePerGas: 999_999_999n, maxPriorityFeePerGas: 999_999_999n };
  const { bytesHex } = orderFor(keys.free, 'x', { nonce: first.nonce, fees });
  await expect(signer.signTransfer({ ...faster, bytesHex })).resolves.toBeDefined();
  const other = orderFor(keys.free, 'x', { nonce: first.nonce, intent: { amountUnits: 1_001n } });
  await expect(signer.signTransfer({ ...other, requestId: 'xfr-more', replaces: first.requestId })).rejects.toEqual(
    refusedAs('InitiatorMissing'),
  );
  const self = { to: first.intent.from, amountUnits: 0n };
  await expect(signer.signTransfer(orderFor(keys.free, 'xfr-cancel', { nonce: 9_000, intent: self }))).resolves.toBeDefined();
  const one = orderFor(keys.free, 'xfr-one', { nonce: 9_001, intent: { ...self, amountUnits: 1n } });
  await expect(signer.signTransfer(one)).rejects.toEqual(refusedAs('InitiatorMissing'));
});

test('a nonce is used up without a person only for a wallet of the charter', async () => {
  await office.adopt({ ...office.charter, wallets: office.charter.wallets.filter(({ id }) => id !== WALLET_ID) });
  const { from } = office.transfer(office.people.ada).intent;
  const filler = orderFor(office.keys.free, 'xfr-cancel', { nonce: 9_000, intent: { to: from, amountUnits: 0n } });
  await expect(office.signer.signTransfer(filler)).rejects.toEqual(refusedAs('InitiatorMissing'));
});
