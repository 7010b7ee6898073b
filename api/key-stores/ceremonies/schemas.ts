import { z } from 'zod';
import { FLEET_KEYS_MAX, PROVISIONERS_MAX, PROVISIONERS_MIN } from '../../../domain/fleets';
import { FleetOutputJson } from '../../../platform/fleets/outputs';

export const MemberSerial = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/)
  .describe('1 to 64 letters, digits, dots, dashes and underscores');
export const Provisioners = z.int().min(PROVISIONERS_MIN).max(PROVISIONERS_MAX);
export const Keys = z.int().min(0).max(FLEET_KEYS_MAX);

export const Abandons = z
  .array(z.string().regex(/^[0-9a-f]{64}$/))
  .max(64)
  .exactOptional()
  .describe(
    'Digests of manifests that a device made for a group that came to nothing, if the service has never seen the output. The ' +
      'device shows the digest. The service adds those that it knows.',
  );

/** A text: one JSON document, signed by the signer. */
export const Archive = z.string();

export const FileChecksum = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('SHA-256 of the part `file`, in lower-case hex');

export const FleetOutputBody = z
  .strictObject({ fileChecksum: FileChecksum, outputJson: FleetOutputJson })
  .meta({ id: 'FleetOutputBody' });

export const Submitted = z.object({ message: z.string() });
export const SUBMITTED = 'The output was verified and waits for a review.';

export const INPUT_STATUSES =
  'If the signer takes more than 20 seconds, the call returns 503 `NotReady` with the ID of the group, and ' +
  '`getFleetOperationArchive` returns the archive later. A key store has one open group: the call returns 409 `Conflict` ' +
  'while another is open, 409 `WrongState` if the state of the fleet does not allow the operation or the signer refuses it, ' +
  'and 404 `NotFound` for a key store that is not an offline store of the organisation. Emits `fleet.group.created`.';

export const OUTPUT_STATUSES =
  'The user action signs the part `data`, which contains the checksum of `file`. The service verifies every part of the output; ' +
  'then the group is `InReview`. An output with a fault is refused with 400 `FleetOutputInvalid`, whose `details.check` names ' +
  'the failed check; the group then accepts another output. The call returns 404 `NotFound` for a key store that is not an ' +
  'offline store of the organisation, 409 `Conflict` while another output of the group is being verified, and 409 `WrongState` ' +
  'if no open group waits for an output. Emits `fleet.group.submitted`.';
