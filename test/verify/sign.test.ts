import { sign } from '../../verify/sign';
import { type Office, openOffice } from './office';

let office: Office;
beforeAll(async () => {
  office = await openOffice();
  office.trusted(await office.draft());
});
afterAll(() => office?.close());

const terminal = (typed: string, shown: string[] = []) => ({
  show: (lines: readonly string[]) => void shown.push(...lines),
  ask: async () => typed,
});

test('an approval that was signed offline counts in the service', async () => {
  const { approvalId, file } = await office.held();
  const challenge = await office.announced(approvalId);
  const shown: string[] = [];
  const to = `${office.folder}/signed.json`;
  const lines = await sign(
    { home: office.home, file: office.put(challenge), approval: office.put(file), key: office.keyOf(office.approver), to },
    terminal('dc79C8', shown),
    new Date(),
  );
  expect(lines.join('\n')).toContain('SIGNED');
  expect(shown.join('\n')).toContain('0.000000000000001 ETH');
  const { client } = office.approver;
  const { status, body } = await client.send({ method: 'POST', path: '/auth/action', text: office.read(to) });
  expect(status).toBe(200);
  const { userAction } = body as { userAction: string };
  const decided = await client.send({
    method: 'POST',
    path: `/v2/policy-approvals/${approvalId}/decisions`,
    text: '{"value":"Approved"}',
    headers: { 'x-svc-useraction': userAction },
  });
  expect(decided.body).toMatchObject({ status: 'Approved' });
});
