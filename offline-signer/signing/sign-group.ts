import { acceptInput } from '../ceremonies/accept-input';
import { finishUse } from '../ceremonies/finish-use';
import { inputWords } from '../ceremonies/input-words';
import { Refused } from '../refused';
import type { Files, Session } from '../session';
import { trustedCharterText, trustedRules } from './local-files';
import { signRequests } from './sign-requests';
import { readTrustedCharter } from './trusted-charter';

/** Signs what the people at the device confirm. Throws `Refused`, and signs nothing, for an input that is not for this device. */
export async function signGroup(session: Session, { input: text }: { readonly input: string }): Promise<Files> {
  const { open, screen } = session;
  const charter = trustedCharterText(session);
  const rules = await trustedRules(session);
  const accepted = await acceptInput(session, text, { kind: 'OnchainSign', serialOf: () => undefined });
  if ('again' in accepted) return accepted.again;
  const { input, digest, head } = accepted;
  if (head === null) throw new Refused('This device does not belong to a fleet yet.');
  screen.say(inputWords(input, digest));
  const { uses, messagesOf } = await signRequests(input, {
    ...{ signerKey: open.pinnedSignerKey(), manifest: head.manifest, claims: open.claims, withKeys: open.withKeys, screen },
    rules,
    charter: charter === undefined ? undefined : readTrustedCharter(charter, input),
  });
  return finishUse(session, accepted, uses, messagesOf);
}
