-- What certified pictures are found by, what was read of the pictures of checked pages, and what stores want to be told about theirs.

-- The codes of certified pictures: 63 bits as three numbers, each beginning with another band of 21 bits, so that an ordered index finds
-- all codes that have a band in common. Global: a picture is looked for among those of all merchants. The statement that tells of a
-- picture looks at the image, its product and its shop: a row here proves nothing.
create table picture_codes (
  merchant_id uuid not null,
  image_id    uuid not null,
  -- beginning of the SHA-256 of the bytes that the codes were made of
  source      bigint not null,
  -- of the whole frame; null: there is too little in the picture to tell it from others
  frame_1     bigint,
  frame_2     bigint,
  frame_3     bigint,
  -- of the frame on a white square; null: it is square
  square_1    bigint,
  square_2    bigint,
  square_3    bigint,
  primary key (merchant_id, image_id)
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02);
-- the first ones also find the merchants that have exactly this code, one after another
create index picture_frames_1 on picture_codes (frame_1, merchant_id) where frame_1 is not null;
create index picture_frames_2 on picture_codes (frame_2) where frame_2 is not null;
create index picture_frames_3 on picture_codes (frame_3) where frame_3 is not null;
create index picture_squares_1 on picture_codes (square_1, merchant_id) where square_1 is not null;
create index picture_squares_2 on picture_codes (square_2) where square_2 is not null;
create index picture_squares_3 on picture_codes (square_3) where square_3 is not null;

-- What the pictures of a checked page look like, by its report. What is said about them is never kept: it is found anew for each answer.
create table picture_readings (
  report_id uuid primary key,
  begun_at  timestamptz not null,
  -- null: they are being fetched, or the node that did so has ended
  read_at   timestamptz,
  -- JSON, deflated, encrypted
  pictures  bytea
);
alter table picture_readings alter column pictures set storage external;
create index picture_readings_by_age on picture_readings (begun_at);

create table picture_settings (
  merchant_id     uuid not null,
  store_id        uuid not null,
  -- whether others are told that their pictures are certified for this store
  told            boolean not null,
  -- all pictures are those of the makers of the goods
  makers_pictures boolean not null,
  makers_images   uuid[] not null,
  allowed_hosts   text[] not null,
  primary key (merchant_id, store_id),
  foreign key (merchant_id, store_id) references stores (merchant_id, id)
);
