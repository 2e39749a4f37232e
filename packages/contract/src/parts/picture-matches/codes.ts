/** What is said about the pictures of a page. A closed list (docs/codes.md). */
export const PICTURE_CODES = {
  pictures_certified_for:
    'Several pictures of this page, or one together with the same name, text or GTIN, are certified for a shop that has proven control of its host, since this date. Who may use them does not follow from it.',
  pictures_first_here:
    'First here is not first anywhere: the dates are those of this registry, and the pictures may have been published elsewhere before.',
  pictures_of_several:
    'Several unrelated merchants publish these pictures. They prove nothing about this page.',
  pictures_of_maker:
    'The merchant marked these pictures as those of the maker of the goods, which every shop may show. They prove nothing about this page.',
  picture_alone:
    'One picture is certified for another shop, and nothing else of the page is the same. One picture alone proves nothing.',
  pictures_of_this_shop: 'These pictures are certified for the shop of this page itself.',
  pictures_unknown: 'No picture of this page was found among the certified ones.',
  pictures_absent: 'The page states no pictures.',
  pictures_unread:
    'These pictures could not be fetched or decoded within the limits, or have too little content to be compared.',
  pictures_left_out: 'The page has more pictures: the first 12 were looked for.',
  pictures_many_alike:
    'So many certified pictures resemble these that not all were compared: more may be found elsewhere.',
} as const;

export type PictureCode = keyof typeof PICTURE_CODES;
