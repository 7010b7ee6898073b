import { ceremonyRequests } from '../../../local/fleets/service';

const APPROVE = '/key-stores/{storeId}/fleet-operations/{groupId}/approve';
const manifest = { digest: 'ab'.repeat(32) };
const groups = (status: string) => {
  const reviewer = {
    get: async () => ({ groupId: 'fg-1', status: 'InReview', proposal: { manifest } }),
    change: async () => ({ groupId: 'fg-1', status }),
  };
  return ceremonyRequests('ks-1', { courier: reviewer as never, reviewer: reviewer as never, isOnPaper: () => true });
};

test('a played review ends if the key store demands further reviewers', async () => {
  await expect(groups('Approved').approve(APPROVE, 'fg-1')).resolves.toBe('Approved');
  await expect(groups('InReview').approve(APPROVE, 'fg-1')).rejects.toThrow('plays only one of them');
});
