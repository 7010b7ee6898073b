import { z } from 'zod';
import { approveGroup } from '../../../application/fleets/approve-group';
import { FleetReviewBody } from '../../../platform/fleets/reviews';
import { Digest } from '../../../platform/fleets/statement';
import { operation } from '../../http/operation';
import { FleetGroup, GroupParams } from './schemas';

export const approveFleetOperation = operation({
  id: 'approveFleetOperation',
  method: 'post',
  path: '/key-stores/:storeId/fleet-operations/:groupId/approve',
  tag: 'signers',
  summary: 'Approve the output of a ceremony',
  description:
    'If the key store demands more reviewers, the group waits for the others, and the response shows it `InReview`. After the ' +
    'last approval the signer verifies the output again and records it; then the fleet has its new manifest and the key store ' +
    'its new keys. ' +
    'Until then the group stays `InReview` with `reviewedBy`; if the signer takes more than 20 seconds, the call returns 503 ' +
    '`NotReady`. The call returns 403 `Forbidden` for the user who created or submitted the group, and 409 `WrongState` for a ' +
    'group that is not in review, that the caller has approved already, with another manifest, that another person is ' +
    'approving, or whose approval the signer refuses; after a refusal all reviewers must approve again. Emits ' +
    '`fleet.group.approved`.',
  callers: ['CustomerEmployee'],
  permission: 'KeyStores:Instructions:Review',
  userAction: true,
  params: GroupParams,
  query: z.strictObject({}),
  body: FleetReviewBody.extend({ manifest: Digest.describe('`proposal.manifest.digest` of the group, which the call approves') }),
  response: FleetGroup,
  handle: ({ params, body, authority }, services) => approveGroup(services, authority, { ...params, ...body }),
});
