-- Two standby keys, so that two revocations in a row leave a key that was published before. The lock under which keys are changed
-- serializes the nodes that create them.
drop index signing_keys_standby;
