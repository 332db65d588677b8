/** An e-mail address that breaks after its @ where a line is too short for it. */
export function Email({ address }: { address: string }) {
  const domain = address.lastIndexOf("@") + 1;
  return (
    <bdi>
      {address.slice(0, domain)}
      <wbr />
      {address.slice(domain)}
    </bdi>
  );
}
