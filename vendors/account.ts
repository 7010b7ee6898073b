import { z } from 'zod';
import { callVendor, type VendorAccess } from './call';

const Account = z.object({ account: z.string().min(1) });

/** Every vendor answers this for valid credentials. Throws `VendorError`. */
export async function readAccount(access: VendorAccess): Promise<void> {
  await callVendor(access, { method: 'GET', path: '/v1/account', reply: Account });
}
