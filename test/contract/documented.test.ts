import { Approval } from '../../api/policies/approvals/schemas';
import { SignatureRequest } from '../../api/signature-request-schemas';
import { TransactionRequest } from '../../api/wallets/transactions/schemas';
import { TransferRequest } from '../../api/wallets/transfers/schemas';
import { Webhook, WebhookEvent } from '../../api/webhooks/schemas';
import { faultsOfAnswer, faultsOfDelivery } from './documented';

const date = '2026-11-21T03:24:24.536Z';
const request = {
  id: 'xfr-01m7y-25s4e-cg1tb2ec0svts453',
  walletId: 'wa-01m7y-25s4e-cg1tb2ec0svts453',
  network: 'EthereumSepolia',
  requester: { userId: 'us-1' },
  status: 'Pending',
  dateRequested: date,
};
const transfer = {
  ...request,
  requestBody: { kind: 'Native', to: '0x01', amount: '1' },
  metadata: { asset: { symbol: 'ETH', decimals: 18, verified: true } },
};
const approval = {
  id: 'ap-1',
  initiatorId: 'us-1',
  activity: { kind: 'Wallets:Sign', transferRequest: transfer },
  status: 'Pending',
  dateCreated: date,
  dateUpdated: date,
  policyEvaluations: [],
  decisions: [],
};
const faultsOfTransfer = (answer: object) => faultsOfAnswer('get', '/wallets/{walletId}/transfers/{transferId}', answer);
const faultsOfApproval = (activity: object) =>
  faultsOfAnswer('get', '/v2/policy-approvals/{approvalId}', { ...approval, activity });

test('an answer that fits the document has no faults', () => {
  expect(faultsOfTransfer(transfer)).toEqual([]);
  expect(faultsOfApproval(approval.activity)).toEqual([]);
});

test('a snapshot with an unknown kind, an unknown member or a missing member is reported as a fault of the answer', () => {
  expect(faultsOfTransfer({ ...transfer, requestBody: { kind: 'Gift', to: '0x01' } })).not.toEqual([]);
  expect(faultsOfTransfer({ ...transfer, requestBody: { ...transfer.requestBody, extra: 1 } })).not.toEqual([]);
  expect(faultsOfApproval({ kind: 'Wallets:Sign', transferRequest: { ...transfer, requester: undefined } })).not.toEqual([]);
  expect(faultsOfApproval({ kind: 'Permissions:Modify', changeRequest: { kind: 'Policy' } })).not.toEqual([]);
});

test('the data of an event is checked against the kind of the event', () => {
  const envelope = { id: 'whe-1', date, timestampSent: 1, deliveryAttempt: 1, version: 1 };
  const data = { transferRequest: transfer };
  expect(faultsOfDelivery({ ...envelope, kind: 'wallet.transfer.requested', ...{ data } })).toEqual([]);
  expect(faultsOfDelivery({ ...envelope, kind: 'wallet.transaction.requested', ...{ data } })).not.toEqual([]);
  expect(faultsOfDelivery({ ...envelope, kind: 'wallet.melted', ...{ data } })).toEqual([
    expect.stringMatching('is not in the document'),
  ]);
});

test('the schemas of answers accept whatever an earlier release has stored, and leave it unchanged', () => {
  const requestBody = { kind: 'Gift', wrapped: { in: 'paper' } };
  const signature = { ...request, keyId: 'key-1', status: 'Signed', requestBody };
  const changed = { kind: 'Policies:Modify', changeRequest: { kind: 'Gift' } };
  const asked = { kind: 'Wallets:Sign', transferRequest: { id: 'xfr-1' } };
  const webhook = {
    id: 'wh-1',
    url: 'https://example.com',
    events: ['gift.given'],
    status: 'Enabled',
    dateCreated: date,
    dateUpdated: date,
  };
  const sent = { status: '200', timestampSent: 1, deliveryFailed: false, deliveryAttempt: 1 };
  const event = { id: 'whe-1', date, kind: 'wallet.created', data: { gift: 1 }, ...sent };
  expect(TransferRequest.parse({ ...transfer, requestBody })).toMatchObject({ requestBody });
  expect(TransactionRequest.parse({ ...request, requestBody })).toMatchObject({ requestBody });
  expect(SignatureRequest.parse(signature)).toMatchObject({ requestBody });
  expect(Approval.parse({ ...approval, activity: changed })).toMatchObject({ activity: changed });
  expect(Approval.parse({ ...approval, activity: asked })).toMatchObject({ activity: asked });
  expect(Webhook.parse(webhook)).toMatchObject({ events: ['gift.given'] });
  expect(WebhookEvent.parse(event)).toMatchObject({ data: { gift: 1 } });
});
