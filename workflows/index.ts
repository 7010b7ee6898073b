export { createWallet } from './create-wallet';
export { deliverWebhook } from './deliver-webhook';
export { keepHouse } from './keep-house';
export { networkFollower } from './network-follower';
export { pingWebhook } from './ping-webhook';
export { recover } from './recover';
export { sendMail } from './send-mail';
export { transfer } from './transfer';
