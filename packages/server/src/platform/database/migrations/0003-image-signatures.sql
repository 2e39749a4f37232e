-- When the certificate ends that an image was signed with by us: without a time stamp the manifest ends with it, and the
-- image is signed anew before (decision 60). Null: not signed by us.
alter table image_certifications add column signed_until timestamptz;
-- not known of earlier ones: they are signed anew soon
update image_certifications set signed_until = now() + interval '30 days' where signed_by_us;

-- SHA-256 of the trust list that `trust` was judged by, hex: once another one is in force, it is judged anew. Null: before
-- this was recorded.
alter table images add column trust_list text;
