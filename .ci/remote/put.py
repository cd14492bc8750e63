"""Puts a folder into a bucket of the store that the environment names, as soon as it answers."""

import os
import pathlib
import sys
import time

import boto3
import botocore.exceptions

folder, bucket = pathlib.Path(sys.argv[1]), sys.argv[2]
store = boto3.client("s3", endpoint_url=os.environ["AWS_ENDPOINT"], region_name=os.environ["AWS_REGION"])
for attempt in range(60):
    try:
        store.create_bucket(Bucket=bucket)
        break
    except botocore.exceptions.EndpointConnectionError:
        time.sleep(0.5)
else:
    sys.exit("the store does not answer")
files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
for path in files:
    store.put_object(Bucket=bucket, Key=path.relative_to(folder).as_posix(), Body=path.read_bytes())
print(len(files), "files")
