import type { AmendmentKind } from '../../../domain/amendments';
import type { Amender } from './amender';
import { deactivateCredential, deleteCredential, removeMember, removeServiceAccount, removeToken } from './members';
import { archivePolicy, createPolicy, updatePolicy } from './policies';
import { tagWallet, untagWallet } from './tags';
import { createWallet } from './wallets';

export const AMENDERS: { readonly [K in AmendmentKind]: Amender<K> } = {
  createWallet,
  tagWallet,
  untagWallet,
  createPolicy,
  updatePolicy,
  archivePolicy,
  deactivateUser: removeMember,
  archiveUser: removeMember,
  deactivateServiceAccount: removeServiceAccount,
  archiveServiceAccount: removeServiceAccount,
  deactivatePersonalAccessToken: removeToken,
  archivePersonalAccessToken: removeToken,
  deactivateCredential,
  deleteCredential,
};
