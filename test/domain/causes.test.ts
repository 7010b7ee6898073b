import { operations } from '../../api/operations';
import { CAUSES, type CauseId, paramsIn } from '../../domain/causes';

test.each(Object.entries(CAUSES))('the cause %s equals the operation of the same name', (id, { path, permission }) => {
  const operation = operations.find((one) => one.id === id);
  expect(operation).toMatchObject({ method: 'post', path, permission, userAction: true });
});

const ORDERS = /^\/(wallets|keys)\/.*\/(transfers|transactions|signatures|cancel|speed-up|export|import|derive)$|\/import$/;

test('every operation that orders a signature or moves a key is a cause', () => {
  const orders = operations.filter(({ method, path, userAction }) => method === 'post' && userAction && ORDERS.test(path));
  expect(orders.map(({ id }) => id).sort()).toEqual(Object.keys(CAUSES).sort());
});

test.each<[CauseId, string, object | undefined]>([
  ['transferAsset', '/wallets/wa-1/transfers', { walletId: 'wa-1' }],
  ['transferAsset', '/wallets/wa-1/transfers/', { walletId: 'wa-1' }],
  ['transferAsset', '/wallets/wa-1/transactions', undefined],
  ['transferAsset', '/wallets/wa-1/transfers/xfr-1', undefined],
  ['cancelTransfer', '/wallets/wa-1/transfers/xfr-1/cancel', { walletId: 'wa-1', transferId: 'xfr-1' }],
])('whether the parameters of %s can be read from the path %s', (cause, path, params) => {
  expect(paramsIn(cause, path)).toEqual(params);
});
