/** What the owner of a host may state about it, towards a shop that it is like. A closed list (docs/codes.md). */
export const HOST_STATEMENTS = {
  own_shop: 'The host belongs to the shop, too.',
  authorised_reseller: 'The shop has authorised the owner of the host to sell its goods.',
  pictures_licensed: 'The owner of the host may use the pictures.',
  makers_pictures: 'The pictures are those of the maker of the goods, not of the shop.',
  own_name: 'The name of the host is that of its owner, who has nothing to do with the shop.',
} as const;

export type HostStatementCode = keyof typeof HOST_STATEMENTS;
