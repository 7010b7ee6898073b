import { testsOfInput } from '../../../support/ceremony-api';
import { noteAnswer } from '../../../support/examples';

testsOfInput({
  note: (body, answer, params) => noteAnswer('createCloneInput', body, answer, params),
  request: { kind: 'Clone', hsmSourceSerial: 'D-1', hsmTargetSerial: 'D-2' },
  bad: [
    ['body.hsmTargetSerial', { hsmTargetSerial: 'D-1' }],
    ['body.hsmSourceSerial', { hsmSourceSerial: 'D-9' }],
    ['body.hsmSourceSerial', { hsmSourceSerial: '' }],
    ['body.more', { more: 1 }],
  ],
});
