import type { JoinedService } from '../support/service';
import { joinService } from '../support/shared-service';
import { ended, fundedWallet, ok, send } from '../support/story';

jest.setTimeout(240_000);

let service: JoinedService;
beforeAll(async () => {
  service = await joinService();
});
afterAll(() => service?.close());

test('the second of two equal payments waits until a user confirms or aborts it (S16)', async () => {
  const admin = service.client('admin');
  ok(await admin.change('PUT', '/organizations/settings', { equalPaymentHoldMinutes: 60 }));
  const { id: walletId } = await fundedWallet(service, admin);
  const [first, second, third] = [await send(admin, walletId), await send(admin, walletId), await send(admin, walletId)];
  expect([second, third]).toEqual(
    [1, 2].map(() => expect.objectContaining({ details: expect.objectContaining({ equalTo: first.id }) })),
  );
  ok(await admin.change('POST', `/wallets/${walletId}/transfers/${second.id}/confirm`));
  ok(await admin.change('PUT', `/wallets/${walletId}/transfers/${third.id}/abort`));
  const ends = await Promise.all([first, second, third].map(({ id }) => ended(admin, walletId, id)));
  expect(ends.map(({ status }) => status)).toEqual(['Confirmed', 'Confirmed', 'Failed']);
});
