import type { Operation } from '../../http/operation';
import { activatePersonalAccessToken } from './activate-personal-access-token';
import { archivePersonalAccessToken } from './archive-personal-access-token';
import { createPersonalAccessToken } from './create-personal-access-token';
import { deactivatePersonalAccessToken } from './deactivate-personal-access-token';
import { getPersonalAccessToken } from './get-personal-access-token';
import { listPersonalAccessTokens } from './list-personal-access-tokens';
import { updatePersonalAccessToken } from './update-personal-access-token';

export const personalAccessTokenOperations: readonly Operation[] = [
  createPersonalAccessToken,
  listPersonalAccessTokens,
  getPersonalAccessToken,
  updatePersonalAccessToken,
  archivePersonalAccessToken,
  activatePersonalAccessToken,
  deactivatePersonalAccessToken,
];
