import { fieldFault, fieldFaults } from '../../domain/field-faults';

test('a fault names its field in the text and in the details', () => {
  expect(fieldFault('body.amount', 'is required')).toMatchObject({
    code: 'InvalidRequest',
    message: 'The request is not valid: body.amount: is required',
    details: { issues: [{ path: 'body.amount', message: 'is required' }] },
  });
});

test('the message names the first of several faults, and the details list all faults', () => {
  const issues = [
    { path: 'body.to', message: 'is required' },
    { path: 'body.kind', message: 'is unknown' },
  ];
  expect(fieldFaults(issues)).toMatchObject({
    message: 'The request is not valid: body.to: is required',
    details: { issues },
  });
});

test('a fault keeps its given code, further details and cause', () => {
  const cause = new Error('the reason');
  const fault = fieldFault('body.to', 'is not an address', { code: 'InvalidAddress', details: { network: 'Base' }, cause });
  expect(fault).toMatchObject({ code: 'InvalidAddress', cause });
  expect(fault.details).toEqual({ network: 'Base', issues: [{ path: 'body.to', message: 'is not an address' }] });
});
