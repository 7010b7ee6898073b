import { z } from 'zod';
import { callVendor, type VendorAccess } from './call';

const Account = z.object({ account: z.string().min(1) });

/** Checks credentials by a call that every vendor offers. Throws `VendorError` if the vendor gives no usable answer. */
export async function readAccount(access: VendorAccess): Promise<void> {
  await callVendor(access, { method: 'GET', path: '/v1/account', reply: Account });
}
