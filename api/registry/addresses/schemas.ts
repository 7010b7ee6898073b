import { z } from 'zod';
import { CHAIN_NETWORK_NAMES, NETWORK_NAMES } from '../../../domain/networks';
import { REGISTRY_STATUSES } from '../../../domain/registry';
import { changeRequestSchema } from '../../http/change-requests';

const NAME_LENGTH_MAX = 100;
const ADDRESS_LENGTH_MAX = 256;

/** A blank name is refused, because people could not tell two blank names apart. */
export const RegistryName = z
  .string()
  .min(1)
  .max(NAME_LENGTH_MAX)
  .regex(/\S/, 'must not be blank')
  .describe('A name for people; it need not be unique');
export const RegistryAddressText = z
  .string()
  .min(1)
  .max(ADDRESS_LENGTH_MAX)
  .describe('In any spelling that the network accepts; stored in the canonical spelling');
export const RegistryStatus = z
  .enum(REGISTRY_STATUSES)
  .meta({ id: 'RegistryStatus', description: 'A Deleted record stays readable and has no effect' });
export const RegistryNetwork = z.enum(NETWORK_NAMES);
/** Accepts every known network. For a network that is not supported, the operation returns `NetworkNotEnabled`. */
export const AnyNetwork = z.enum(CHAIN_NETWORK_NAMES);

const body = {
  id: z.string(),
  name: z.string(),
  network: RegistryNetwork,
  address: z.string().describe('In the canonical spelling of its network'),
  status: RegistryStatus,
};
const dates = {
  dateCreated: z.iso.datetime(),
  dateUpdated: z.iso.datetime(),
  dateActive: z.iso.datetime().describe('The entry takes effect at this time'),
};

export const RegistryAddress = z.object({ ...body, ...dates }).meta({ id: 'RegistryAddress' });
export const RegistryAddressChangeRequest = changeRequestSchema('Alias', ['Create', 'Update', 'Delete'], z.object(body));
export const RegistryAddressWithPendingChange = z
  .object({
    ...body,
    ...dates,
    pendingChangeRequest: RegistryAddressChangeRequest.exactOptional().describe('The change that waits for approval'),
  })
  .meta({ id: 'RegistryAddressWithPendingChange' });

export const RegistryAddressParams = z.strictObject({ addressId: z.string().min(1).max(64) });
