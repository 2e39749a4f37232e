-- When the certificate ends that an image was signed with by us: without a time stamp the manifest ends with it, and the
-- image is signed anew before (decision 60). Null: not signed by us, or before this was recorded.
alter table image_certifications add column signed_until timestamptz;
